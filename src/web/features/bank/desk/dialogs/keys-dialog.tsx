import { KeysDialog as Keys } from '#web/ui/keys-dialog.tsx'

const keys: [keys: string[], words: string][] = [
  [['J', 'K'], 'Next and previous line'],
  [['N'], 'Next line that is unclear'],
  [['1', '…', '5'], 'Choose a candidate'],
  [['6', '…', '0'], 'Give a quick reason, where one is needed'],
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

const note = 'In a field these keys are text, except for Enter, Esc and the digits of quick reasons in an empty reason.'

/** The keys of the working screen. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return <Keys keys={keys} note={note} onClose={onClose} />
}
