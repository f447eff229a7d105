// Ends a page that the sign-in provider led back to: tells the other tabs, then goes on or closes its window.
;(() => {
  const { message, next } = document.currentScript.dataset
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin alone
  if (message && 'BroadcastChannel' in globalThis) new BroadcastChannel('back-office').postMessage({ type: message })
  if (next) location.replace(next)
  else window.close()
})()
