// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { refuseFileDrops } from './file-drops.ts'

afterEach(refuseFileDrops())

/** Whether the browser does something by itself with what is dragged over or dropped on an element. */
function isLeftToBrowser(type: string, kind: string, target: Element): boolean {
  document.body.append(target)
  const event = new Event(type, { bubbles: true, cancelable: true })
  return target.dispatchEvent(Object.assign(event, { dataTransfer: { types: [kind] } }))
}

test('a file dropped where nothing takes it does not open in place of the console', () => {
  const field = Object.assign(document.createElement('input'), { type: 'file' })
  for (const type of ['dragover', 'drop']) {
    expect(isLeftToBrowser(type, 'Files', document.createElement('main')), type).toBe(false)
    expect(isLeftToBrowser(type, 'Files', field), type).toBe(true)
    expect(isLeftToBrowser(type, 'text/plain', document.createElement('textarea')), type).toBe(true)
  }
})
