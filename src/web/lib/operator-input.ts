/** An operator's hand or keys. Assistive programs click without a pointer, and a browser's Back has no key. */
const inputEvents = ['keydown', 'pointerdown', 'wheel', 'click', 'input', 'popstate']

/** For so long, in milliseconds, a call belongs to what the operator did last: the opened page may have come late. */
const belongsMs = 30_000

/** By `performance.now()`. Opening the page is one as well. */
let lastInput = performance.now()

function noteInput({ isTrusted }: Event) {
  if (isTrusted) lastInput = performance.now()
}

/** Notes what the operator does, as the browser itself tells it. */
export function watchOperatorInput(): void {
  for (const event of inputEvents) window.addEventListener(event, noteInput, { capture: true, passive: true })
}

/** Whether nobody has used this page for a while, so that its own calls keep no session open (product 2.2). */
export const isOperatorIdle = (): boolean => performance.now() - lastInput > belongsMs
