// What the keyboard does here.
import { Button, Dialog } from "../kit/kit.tsx";
import { useWords } from "./shared.ts";

export function Help({ onClose }: { onClose: () => void }) {
  const say = useWords();
  const lists: [title: string, keys: [key: string, does: string][]][] = [
    [
      say("keyAny"),
      [
        ["1 – 5", say("compares")],
        ["[   ]", say("turns")],
        ["N, P", say("walks")],
        ["?", say("helps")],
      ],
    ],
    [
      say("keyList"),
      [
        [`↑ ↓`, say("move")],
        ["Home, End", say("ends")],
        [say("keySpace"), say("toggles")],
        ["Enter", say("flies")],
        ["R", say("writes")],
      ],
    ],
    [say("keyPicture"), [["+ − 0", say("zooms")]]],
  ];
  return (
    <Dialog title={say("keysHelp")} onClose={onClose} testid="review-keys">
      {lists.map(([title, keys]) => (
        <section key={title}>
          <h4>{title}</h4>
          <dl class="lk-review-keys">
            {keys.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div class="lk-bar lk-review-end">
        <Button tone="primary" data-testid="review-keys-close" onClick={onClose}>
          {say("closing")}
        </Button>
      </div>
    </Dialog>
  );
}
