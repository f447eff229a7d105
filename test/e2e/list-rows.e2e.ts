import type { Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { listScreens, openScreen } from './support/screens.ts'

/** What React keeps of a component or element, as its developer tools read it. */
interface Fiber {
  type: unknown
  flags: number
  memoizedProps: Record<string, unknown> | null
  alternate: Fiber | null
  child: Fiber | null
  sibling: Fiber | null
}

/** Notes in the page the rows in which React renders a component, by the hook of its developer tools. */
function noteRenders() {
  const performedWork = 1
  const rendered = new Set<unknown>()
  const visit = ({ type, flags, memoizedProps, alternate, child }: Fiber, inside?: unknown) => {
    const row = type === 'tr' ? memoizedProps?.['data-row'] : inside
    if (row !== undefined && flags & performedWork) rendered.add(row)
    // What was left as it was keeps its children.
    if (child === alternate?.child) return
    for (let each = child; each; each = each.sibling) visit(each, row)
  }
  const hook = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_: number, { current }: { current: Fiber }) => visit(current),
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
  }
  Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook, rendered })
}

const takeRendered = (page: Page) =>
  page.evaluate(() => {
    const { rendered } = window as unknown as { rendered: Set<string> }
    const rows = [...rendered]
    rendered.clear()
    return rows
  })
const rowIds = (page: Page) =>
  page.locator('main tr[data-row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')))

for (const name of ['users', 'orders', 'verifications'] as const)
  test(`J, K and X render no row again but theirs: ${name} (product 4.9)`, async ({ page }) => {
    await page.addInitScript(noteRenders)
    await openScreen(page, listScreens[name])
    await expect(page.locator('main tr[data-row]').nth(20)).toBeVisible()
    const [first, second, third, ...others] = await rowIds(page)
    await expect(page.getByRole('banner').getByText('Live', { exact: true })).toBeVisible()
    expect((await takeRendered(page)).toSorted(), 'what comes is noted').toEqual(
      [first, second, third, ...others].toSorted(),
    )
    const current = page.locator('tr[aria-current=true]')
    for (const [key, active, rows] of [
      ['j', first, [first]],
      ['j', second, [first, second]],
      ['k', first, [first, second]],
      ['x', first, [first]],
      ['Shift+J', second, [first, second]],
      ['Shift+J', third, [second, third]],
      ['Escape', third, [first, second, third]],
    ] as const) {
      await page.keyboard.press(key)
      await expect(current).toHaveAttribute('data-row', active!)
      expect((await takeRendered(page)).toSorted(), key).toEqual([...rows].toSorted())
    }
  })

/** The rows that Tab stops in, and at how many places it stops in the whole page. */
const countTabStops = (page: Page) =>
  page.evaluate(() => {
    const stops = [...document.querySelectorAll<HTMLElement>('*')].filter(
      (each) => each.tabIndex >= 0 && !each.matches(':disabled, [inert] *') && each.checkVisibility(),
    )
    const rows = new Set(stops.map((stop) => stop.closest<HTMLElement>('main tr[data-row]')?.dataset['row']))
    rows.delete(undefined)
    return { rows: [...rows], stops: stops.length }
  })

const names = ['users', 'orders', 'bank lines', 'chain transactions', 'KYC submissions', 'verifications'] as const
for (const name of [...names, 'the delivery log', 'security events', 'admin actions'] as const)
  test(`Tab passes through one row of a list, 40 stops in all at most: ${name} (product 4.9)`, async ({ page }) => {
    await openScreen(page, listScreens[name])
    await expect(page.locator('main tr[data-row]').nth(3)).toBeVisible()
    const [first, second] = await rowIds(page)
    const before = await countTabStops(page)
    expect(before).toEqual({ rows: [first], stops: before.stops })
    expect(before.stops).toBeLessThanOrEqual(40)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(page.locator('tr[aria-current=true]')).toHaveAttribute('data-row', second!)
    expect((await countTabStops(page)).rows).toEqual([second])
  })
