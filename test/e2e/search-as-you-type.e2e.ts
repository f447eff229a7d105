import type { Page, Request } from '@playwright/test'
import { stopClock } from './support/clock.ts'
import { expect, test } from './support/harness.ts'
import { importMember, newWord } from './support/members.ts'

const table = (page: Page) => page.getByRole('region', { name: 'Users' }).getByRole('table')
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^View / }) })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search by name or email' })
const isSearch = (request: Request) => /\/api\/users\/?\?.*search=/.test(request.url())
const readSearch = (request: Request) => new URL(request.url()).searchParams.get('search')

/** Two members whose e-mails begin alike; the longer word finds the first alone. */
async function importTwo(server: Parameters<typeof importMember>[0]) {
  const word = newWord()
  const one = await importMember(server, { legalFirstName: 'Ana', legalLastName: `${word}x` })
  const other = await importMember(server, { legalFirstName: 'Bea', legalLastName: word })
  return { word, one, other }
}

test('a list is searched with the first key, and a newer key waits for its answer', async ({ page, server }) => {
  const { word, one } = await importTwo(server)
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(50)
  let underWay = 0
  let most = 0
  page.on('request', (request) => {
    if (isSearch(request)) most = Math.max(most, ++underWay)
  })
  const onOver = (request: Request) => {
    if (isSearch(request)) underWay -= 1
  }
  page.on('requestfinished', onOver)
  page.on('requestfailed', onOver)
  const first = page.waitForRequest(isSearch)
  await searchBox(page).press(word.slice(0, 1))
  expect(readSearch(await first)).toBe(word[0])
  await searchBox(page).pressSequentially(`${word.slice(1)}x`)
  await expect(rows(page)).toHaveCount(1)
  await expect(table(page)).toContainText(one.name)
  expect(most).toBeLessThanOrEqual(2)
})

test('a newer key cancels a slow answer, and a late one never replaces it', async ({ page, server }) => {
  const { word, one } = await importTwo(server)
  const late = Promise.withResolvers<void>()
  await page.route(
    (url) => url.searchParams.get('search') === word,
    async (route) => {
      await late.promise
      await route.continue().catch(() => {})
    },
  )
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(50)
  const asked = page.waitForRequest((request) => readSearch(request) === word)
  const givenUp = page.waitForEvent('requestfailed', (request) => readSearch(request) === word)
  await searchBox(page).fill(word)
  await asked
  await searchBox(page).fill(`${word}x`)
  expect((await givenUp).failure()?.errorText).toBe('net::ERR_ABORTED')
  await expect(rows(page)).toHaveCount(1)
  late.resolve()
  await expect(table(page)).toContainText(one.name)
  await expect(searchBox(page)).toHaveValue(`${word}x`)
})

test('Back leads to what stood before the search, also to another search', async ({ page, server }) => {
  const { word, one, other } = await importTwo(server)
  await page.goto(`/users?search=${other.email}`)
  await expect(table(page)).toContainText(other.name)
  await searchBox(page).fill('')
  await expect(rows(page)).toHaveCount(50)
  await searchBox(page).pressSequentially(`${word}x`)
  await expect(page).toHaveURL(`/users?search=${word}x`)
  await expect(rows(page)).toHaveCount(1)
  await page.goBack()
  await expect(page).toHaveURL('/users')
  await page.goBack()
  await expect(searchBox(page)).toHaveValue(other.email)

  // Typed over, a search that stood there is no part of the new one.
  await searchBox(page).fill(one.email)
  await expect(table(page)).toContainText(one.name)
  await searchBox(page).press('End')
  await searchBox(page).press('Backspace')
  await expect(page).toHaveURL(`/users?search=${encodeURIComponent(one.email.slice(0, -1))}`)
  await page.goBack()
  await expect(searchBox(page)).toHaveValue(other.email)
  await expect(table(page)).toContainText(other.name)
})

test('a text that an input method still composes is not searched for', async ({ page, server }) => {
  await importMember(server, { legalFirstName: '小明', legalLastName: newWord() })
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(50)
  const searches: (string | null)[] = []
  page.on('request', (request) => {
    if (isSearch(request)) searches.push(readSearch(request))
  })
  await searchBox(page).focus()
  const keyboard = await page.context().newCDPSession(page)
  for (const text of ['x', 'xiao', 'xiaoming'])
    await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  await expect(searchBox(page)).toHaveValue('xiaoming')
  await keyboard.send('Input.insertText', { text: '小明' })
  await expect(page).toHaveURL(`/users?search=${encodeURIComponent('小明')}`)
  await expect(table(page)).toContainText('小明')
  expect(searches).toEqual(['小明'])
})

test('the exact total is not counted while somebody types', async ({ page, operator }) => {
  const counted: (string | null)[] = []
  page.on('request', (request) => {
    if (isSearch(request) && request.url().includes('total=exact')) counted.push(readSearch(request))
  })
  await page.clock.install()
  await page.goto('/users')
  await expect(rows(page)).toHaveCount(50)
  // Between two texts less time passes than a search has to rest, however slow the machine is.
  await stopClock(page)
  // Each of these has more than a thousand hits.
  for (const text of ['m', '@', 'e', '.', 'e']) {
    await searchBox(page).fill(text)
    await page.clock.runFor(60)
  }
  await page.clock.resume()
  const { total } = await (await operator.get('/api/users?search=e&total=exact&limit=1')).json()
  await expect(page.getByText(`Showing 1 to 50 of ${total.toLocaleString('en-US')} entries`)).toBeVisible()
  // All members may be hits: the total of the list before reads the same.
  await expect.poll(() => counted).toEqual(['e'])
})
