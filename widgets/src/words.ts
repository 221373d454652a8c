// Words on screen, in English and Chinese. Each component brings its table; English has every key.
import type { Model } from "./protocol.ts";

export type Language = "en" | "zh";
export type Table = Readonly<Record<string, readonly [en: string, zh: string]>>;
export type Say<T extends Table = Table> = (key: keyof T & string, values?: Record<string, string | number>) => string;

/** The language of a widget: its own, else the page's, else the browser's. JupyterLab's page says "en" to everybody. */
export function languageOf(model: Model): Language {
  const chosen = String(model.get("language") ?? "");
  if (chosen === "en" || chosen === "zh") return chosen;
  const page = document.documentElement.lang.toLowerCase();
  const { jpThemeLight, voila } = document.body.dataset;
  const untold = page === "" || (page === "en" && jpThemeLight !== undefined && voila === undefined);
  return (untold ? navigator.language.toLowerCase() : page).startsWith("zh") ? "zh" : "en";
}

/** A way to say the words of a table; `{name}` stands for a value, `{n|page|pages}` for a word by number. */
export function speaker<T extends Table>(table: T, language: Language): Say<T> {
  const column = language === "zh" ? 1 : 0;
  return (key, values = {}) => {
    const sentence = table[key]?.[column] ?? key;
    return sentence.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, name: string, one?: string, many?: string) => {
      const value = values[name] ?? "";
      return one === undefined ? String(value) : String((Number(value) === 1 ? one : many) ?? "");
    });
  };
}

/** What a person does to have a view back: run its cell, or load the page again where there are no cells. */
export function again(language: Language): string {
  if (document.body.dataset.voila !== undefined)
    return language === "zh" ? "请重新载入此页面。" : "Load the page again.";
  return language === "zh" ? "请重新运行此单元格。" : "Run the cell again.";
}
