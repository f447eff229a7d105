import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogBody, DialogFooter } from '#web/ui/dialog.tsx'

const keys: [keys: string[], words: string][] = [
  [['J', 'K'], 'Next and previous line'],
  [['N'], 'Next line that is unclear'],
  [['1', '…', '5'], 'Choose a candidate'],
  [['↵'], 'Apply what is chosen, and open the next line'],
  [['S'], 'Split the line into parts'],
  [['/'], 'Find an order or a transfer that came back, or of money that went out an earlier payment'],
  [['R'], 'Pay the money back'],
  [['I'], 'Put the line aside'],
  [['U'], 'Undo my last decision'],
  [['E'], 'Apply all lines that fit exactly'],
  [['Esc'], 'Cancel a split, close a dialog'],
  [['?'], 'This list'],
]

/** The keys of the working screen. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <DialogBody>
        <dl className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-y-2.5 text-13">
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
          In a field these keys are text, except for Enter and Esc. <kbd>Tab</kbd> leaves it.
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  )
}
