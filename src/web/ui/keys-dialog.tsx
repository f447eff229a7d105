import { Button } from './button.tsx'
import { Dialog, DialogBody, DialogFooter } from './dialog.tsx'

interface KeysDialogProps {
  /** Keys with what they do. “…” between two keys stands for those between them. */
  keys: readonly (readonly [keys: readonly string[], words: string])[]
  /** What the keys are in a field. */
  note: string
  onClose: () => void
}

/** The keys of a working screen. */
export const KeysDialog = ({ keys, note, onClose }: KeysDialogProps) => (
  <Dialog title="Keys" onClose={onClose}>
    <DialogBody>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-y-2.5 text-13">
        {keys.map(([names, words]) => (
          <div key={words} className="contents">
            <dt className="flex gap-1">
              {names.map((name) => (name === '…' ? <span key={name}>–</span> : <kbd key={name}>{name}</kbd>))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 border-t pt-3 text-13 text-quiet">
        {note} <kbd>Tab</kbd> leaves it.
      </p>
    </DialogBody>
    <DialogFooter>
      <Button onClick={onClose}>Close</Button>
    </DialogFooter>
  </Dialog>
)
