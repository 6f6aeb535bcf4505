// Dark or light: as the system has it, until the reader says otherwise.

const KEPT = "surfacelog.theme";
const light = matchMedia("(prefers-color-scheme: light)");

export const theme = () => localStorage.getItem(KEPT) ?? (light.matches ? "light" : "dark");

/** @param {() => void} changed */
export function startTheme(changed) {
  const apply = () => {
    document.documentElement.dataset.theme = theme();
    changed();
  };
  light.addEventListener("change", apply);
  apply();
  return () => {
    localStorage.setItem(KEPT, theme() === "dark" ? "light" : "dark");
    apply();
  };
}
