import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/harness.ts'
import { rowsTest } from './support/screens.ts'
import { events, raiseEvents } from './support/security-page.ts'

/** A4 across, without its margins. */
const paper = { width: 1031, height: 702 }

async function openOnPaper(page: Page, path: string, region: Locator) {
  await page.setViewportSize(paper)
  await page.emulateMedia({ media: 'screen' })
  await page.goto(path)
  await expect(region.getByRole('row').nth(1)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
}

/** Texts whose end is at the right edge of the paper, where printers space letters wider, or behind an ellipsis. */
const cutTexts = (region: Locator) =>
  region.evaluate((root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const cut = new Set<string>()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement!
      if (!holder.checkVisibility()) continue
      range.selectNodeContents(node)
      const isOver = range.getBoundingClientRect().right > innerWidth - 6
      const isHidden = holder.scrollWidth > holder.clientWidth + 1 && getComputedStyle(holder).overflowX !== 'visible'
      if (isOver || isHidden) cut.add(node.textContent ?? '')
    }
    return [...cut]
  })

test('printed security events show every text whole', async ({ page, server }) => {
  const word = await raiseEvents(server, 'high')
  await server.sql(
    `UPDATE security_events SET description = $1 || repeat(' from several addresses', 12) WHERE description LIKE '%' || $1`,
    [word],
  )
  await openOnPaper(page, '/security', events(page))
  await expect(events(page)).toContainText(word)
  expect(await cutTexts(events(page))).toEqual([])
  const event = events(page).getByRole('columnheader', { name: 'Event', exact: true })
  expect((await event.boundingBox())!.width).toBeGreaterThanOrEqual(90)
})

test('printed lists end within the paper', async ({ page }) => {
  // Members of the demo alone: another test may have brought longer words.
  for (const [name, path] of [
    ['Users', '/users?search=mail.example'],
    ['Orders', '/orders?search=mail.example'],
    ['Platform transactions', '/transactions?tab=platform&search=mail.example'],
    ['Admin actions', '/security?tab=actions'],
  ] as const) {
    const region = page.getByRole('region', { name, exact: true })
    await openOnPaper(page, path, region)
    expect(await cutTexts(region), name).toEqual([])
  }
})

rowsTest('printed lists keep all columns beside words without a blank', async ({ page, extreme }) => {
  expect(extreme.memberId).toBeTruthy()
  for (const [name, path] of [
    ['Users', '/users'],
    ['Orders', '/orders'],
    ['Platform transactions', '/transactions?tab=platform'],
    ['Verifications', '/kyc?tab=verifications'],
  ] as const) {
    const region = page.getByRole('region', { name, exact: true })
    await openOnPaper(page, path, region)
    // A browser shrinks a page by half at most.
    const { width } = (await region.getByRole('table').boundingBox())!
    expect(width, name).toBeLessThanOrEqual(paper.width * 1.4)
  }
})
