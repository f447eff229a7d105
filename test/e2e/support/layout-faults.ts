import type { Page } from '@playwright/test'

/** The layout's faults, one a line. With an open dialog only the dialog counts. */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const found = [
    await page.evaluate(findScrollFaults),
    await page.evaluate(findTextFaults),
    await page.evaluate(findSmallControls),
  ]
  return found.flat()
}

// Each of these runs in the page, so it holds everything it needs.

/** What scrolls sideways, and a page that scrolls as a whole beside its main part. */
function findScrollFaults(): string[] {
  const { documentElement: root } = document
  const faults: string[] = []
  if (root.scrollWidth > innerWidth) faults.push(`the page scrolls sideways by ${root.scrollWidth - innerWidth} px`)
  if (root.scrollHeight > innerHeight) faults.push(`the page scrolls twice, by ${root.scrollHeight - innerHeight} px`)
  // Tabs scroll in their strip, which fades where there is more. Figures scroll too; code keeps its lines.
  const mayScroll = '[role=tablist], section[aria-label$=figures], pre, code'
  for (const element of document.querySelectorAll('body *')) {
    if (element.scrollWidth <= element.clientWidth + 1 || element.matches(mayScroll)) continue
    if (!/auto|scroll/.test(getComputedStyle(element).overflowX)) continue
    const name = element.getAttribute('aria-label') ?? element.tagName.toLowerCase()
    faults.push(`${name} scrolls sideways by ${element.scrollWidth - element.clientWidth} px`)
  }
  return faults
}

/** Texts that something covers, that end without a sign, and numbers that are cut or wrapped inside. */
function findTextFaults(): string[] {
  const number = /^[-+(]*\$?(\d{1,3}(,\d{3})+(\.\d+)?|\d+\.\d+)[).;%]*$/
  const ellipsis = 14
  const faults: string[] = []
  const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
  const root = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1) ?? document.body

  interface Edges {
    left: number
    right: number
    top: number
    bottom: number
    /** Where a text that is too long ends in an ellipsis. */
    cutAt: number
    isCut: boolean
  }
  const known = new Map<Element, Edges | null>()
  /** What of an element can be seen, or null for what only screen readers are given. */
  function findEdges(element: Element): Edges | null {
    const before = known.get(element)
    if (before !== undefined) return before
    const style = getComputedStyle(element)
    const outer = element.parentElement && style.position !== 'fixed' ? findEdges(element.parentElement) : undefined
    let edges: Edges | null =
      outer === undefined
        ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight, cutAt: Infinity, isCut: false }
        : outer
    if (edges && style.overflowX !== 'visible' && element !== document.body) {
      const box = element.getBoundingClientRect()
      const isCut = !/auto|scroll/.test(style.overflowX)
      const isLong = element.scrollWidth > element.clientWidth
      if (isCut && (box.width <= 1 || box.height <= 1)) edges = null
      else
        edges = {
          left: Math.max(edges.left, box.left),
          right: Math.min(edges.right, box.right),
          top: Math.max(edges.top, box.top),
          bottom: Math.min(edges.bottom, box.bottom),
          cutAt: isCut && isLong && style.textOverflow === 'ellipsis' ? box.right - ellipsis : edges.cutAt,
          // What a scrolling strip ends is not a fault of the text's own box.
          isCut: box.right <= edges.right ? isCut : edges.isCut,
        }
    }
    known.set(element, edges)
    return edges
  }

  /** A bar at the lower edge, from under which everything can be scrolled. */
  function isBar(element: Element | null): boolean {
    if (!element) return false
    const { position, bottom, right } = getComputedStyle(element)
    return (position === 'sticky' && bottom !== 'auto' && right === 'auto') || isBar(element.parentElement)
  }

  const range = document.createRange()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? ''
    const parent = node.parentElement
    if (!parent || text.trim() === '' || parent.closest('script, style, option, svg')) continue
    if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    // A hint inside an input, which every hit goes through.
    if (getComputedStyle(parent).pointerEvents === 'none') continue
    range.selectNodeContents(node)
    const whole = range.getBoundingClientRect()
    if (whole.bottom < 0 || whole.top > innerHeight) continue
    const seen = findEdges(parent)
    if (!seen || seen.right - seen.left < 2) continue

    for (const line of range.getClientRects()) {
      const top = Math.max(line.top, seen.top)
      const bottom = Math.min(line.bottom, seen.bottom)
      if (bottom - top < line.height * 0.6) continue
      if (seen.isCut && seen.cutAt === Infinity && line.right > seen.right + 2 && line.left < seen.right)
        faults.push(`"${shorten(text)}" ends without a sign`)
      const left = Math.max(line.left, seen.left)
      const right = Math.min(line.right, seen.right)
      if (right - left < 4) continue
      const y = (top + bottom) / 2
      for (const x of [left + 1.5, (left + right) / 2, right - 1.5]) {
        const hit = document.elementFromPoint(x, y)
        if (!hit || hit === parent || hit.contains(parent) || parent.contains(hit)) continue
        // What a control adds around itself for fingers is not seen.
        const box = hit.getBoundingClientRect()
        if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue
        // A toast lies over the header, and closes by itself.
        if (isBar(hit) || hit.closest('.toasts')) continue
        const cover = hit.getAttribute('aria-label') ?? hit.textContent?.trim() ?? ''
        faults.push(`"${shorten(text)}" is covered by ${hit.tagName.toLowerCase()} "${shorten(cover)}"`)
        break
      }
    }
    for (const match of text.matchAll(/\S+/g)) {
      if (!number.test(match[0])) continue
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const lines = [...range.getClientRects()]
      if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) faults.push(`${match[0]} is wrapped`)
      const box = range.getBoundingClientRect()
      if (box.left < seen.cutAt && box.right > seen.cutAt) faults.push(`${match[0]} is cut`)
    }
  }
  return [...new Set(faults)]
}

/** Controls below 24 px on a side that have neither the room of 24 px around them nor stand in a sentence (WCAG 2.5.8). */
function findSmallControls(): string[] {
  const least = 24
  const root = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1) ?? document.body
  const controls = [
    ...root.querySelectorAll('a[href], button, input, select, textarea, [role=option], [role=menuitem]'),
  ]
    .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((control) => {
      const box = (control.closest('label') ?? control).getBoundingClientRect()
      return { control, box, x: box.left + box.width / 2, y: box.top + box.height / 2 }
    })
    .filter(({ control, box, x, y }) => {
      const hit = box.width > 1 ? document.elementFromPoint(x, y) : null
      return hit !== null && (control.contains(hit) || hit.contains(control))
    })
  const isSmall = ({ box }: (typeof controls)[number]) => box.width < least - 0.5 || box.height < least - 0.5
  const isInSentence = (control: Element) =>
    getComputedStyle(control).display === 'inline' &&
    (control.parentElement?.textContent?.trim().length ?? 0) > (control.textContent?.trim().length ?? 0)

  return controls
    .filter((one) => isSmall(one) && !isInSentence(one.control))
    .filter((one) =>
      controls.some((other) => {
        if (other === one || other.control.contains(one.control) || one.control.contains(other.control)) return false
        if (isSmall(other)) return Math.hypot(one.x - other.x, one.y - other.y) < least
        const { left, right, top, bottom } = other.box
        const toX = Math.max(left - one.x, 0, one.x - right)
        const toY = Math.max(top - one.y, 0, one.y - bottom)
        return Math.hypot(toX, toY) < least / 2
      }),
    )
    .map(({ control, box }) => {
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.tagName
      return `"${name.slice(0, 40)}" is a control of ${Math.round(box.width)} × ${Math.round(box.height)} px`
    })
}
