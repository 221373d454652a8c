// Moments as people say them.
import type { Language } from "../words.ts";

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const locale = (language: Language) => (language === "zh" ? "zh-CN" : "en-GB");
const relative = new Map<Language, Intl.RelativeTimeFormat>();
const absolute = new Map<Language, Intl.DateTimeFormat>();

/** How long ago: "3 min ago". */
export function ago(at: number, now: number, language: Language): string {
  let format = relative.get(language);
  if (format === undefined) {
    format = new Intl.RelativeTimeFormat(locale(language), { numeric: "auto", style: "short" });
    relative.set(language, format);
  }
  const by = at - now;
  for (const [unit, length] of UNITS) {
    if (Math.abs(by) >= length) return format.format(Math.round(by / length), unit);
  }
  return format.format(0, "second");
}

/** Day and time, to the second. */
export function exact(at: number, language: Language): string {
  let format = absolute.get(language);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale(language), { dateStyle: "medium", timeStyle: "medium" });
    absolute.set(language, format);
  }
  return format.format(at);
}

/** The time of day, to the second. */
export function clock(at: number, language: Language): string {
  return new Date(at).toLocaleTimeString(locale(language));
}

/** A moment as an input of date and time takes it, in the browser's own time. */
export function local(at: number | undefined): string {
  if (at === undefined) return "";
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
