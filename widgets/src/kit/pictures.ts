// Pictures that came as bytes, for as long as they are shown.
import { useEffect, useState } from "preact/hooks";

/** Object URLs of some pictures, as many as there are; "" of an empty one. */
export function useUrls(pictures: readonly ArrayBuffer[]): readonly string[] {
  const [urls, setUrls] = useState<readonly string[]>([]);
  useEffect(() => {
    const made = pictures.map((bytes) => (bytes.byteLength === 0 ? "" : URL.createObjectURL(new Blob([bytes]))));
    setUrls(made);
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
    };
  }, [pictures]);
  return urls;
}
