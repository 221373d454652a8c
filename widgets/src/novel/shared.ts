// What the parts of the desk share: the novel, and numbers and moments in the reader's language.
import { createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { exact } from "../kit/time.ts";
import { useShared } from "../shell.tsx";
import type { Story } from "./store.ts";

export const Told = createContext<Story | undefined>(undefined);

export function useStory(): Story {
  const story = useContext(Told);
  if (story === undefined) throw new Error("outside of a desk");
  return story;
}

/** Numbers with separators, moments, and lists, as they are written in the widget's language. */
export function useFigures() {
  const { language } = useShared();
  return useMemo(() => {
    const format = new Intl.NumberFormat(language === "zh" ? "zh-CN" : "en-GB");
    return {
      count: (value: number) => format.format(value),
      when: (at: number) => exact(at, language),
      list: (items: readonly (string | number)[]) => items.join(language === "zh" ? "、" : ", "),
    };
  }, [language]);
}
