import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { freePort } from '#test/support/free-port.ts'
import { auditKey, documentsKey } from '#test/support/console-process.ts'
import { startConsole, type ConsoleServer } from './support/console-server.ts'
import { expect, expectLive, expectToast, test as base } from './support/harness.ts'
import { approveAnyway } from './support/kyc-cases.ts'

const root = join(import.meta.dirname, '../..')
const secret = `whsec_${Buffer.alloc(24, 3).toString('base64')}`

/** The example platform as its own members see it. */
interface Shop {
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; said: ShopMember }>
  stop(): Promise<void>
}
interface ShopMember {
  id: string
  kyc: string
  reason: string | null
  membershipId: string | null
  isBarred: boolean
  orderNumber?: string
  orders: { orderNumber: string; status: string }[]
  heard: string[]
  message?: string
}

/** Those of examples/platform/README.md. */
const shopScopes =
  'members.read,members.write,wallets.write,documents.write,kyc.write,orders.read,orders.write,orders.complete'

/** A key as an operator makes it: by command, shown once. */
async function makeKey({ databaseUrl }: ConsoleServer) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'src/server/cli/admin.ts'), 'key', 'create', 'shop', '--scope', shopScopes],
    {
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        DATA_DIR: process.env.E2E_DATA_DIR,
        AUDIT_KEY: auditKey,
        DOCUMENTS_KEY: documentsKey,
      },
    },
  )
  return /^Key: (\S+)$/m.exec(stdout)![1]!
}

async function openShop(server: ConsoleServer, port: string): Promise<Shop> {
  const child = spawn(process.execPath, [join(root, 'examples/platform/main.ts')], {
    env: {
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      CONSOLE_URL: server.url,
      PLATFORM_API_KEY: await makeKey(server),
      PLATFORM_WEBHOOK_SECRET: secret,
      PORT: port,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(createInterface({ input: child.stdout }), 'line')
  return {
    async call(method, path, body) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: reply.status, said: (await reply.json()) as ShopMember }
    },
    async stop() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const test = base.extend<{ shop: Shop; port: string }>({
  // The console has to know where its events go before the shop, which has to know the console, is there.
  port: async ({}, use) => use(String(await freePort())),
  server: async ({ port }, use) => {
    const server = await startConsole('template_empty', {
      DEMO: 'off',
      PLATFORM_WEBHOOK_URL: `http://127.0.0.1:${port}/events`,
      PLATFORM_WEBHOOK_SECRET: secret,
      WEBHOOK_ALLOW_PRIVATE: 'on',
    })
    await use(server)
    await server.stop()
  },
  shop: async ({ server, port }, use) => {
    const shop = await openShop(server, port)
    await use(shop)
    await shop.stop()
  },
})

const fact = (page: Page, name: string) => page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')
const dialog = (page: Page) => page.getByRole('dialog')

test('a platform of its own process and a member’s whole life, from sign-up to ban (product 1.2, 10.2)', async ({
  page,
  server,
  shop,
}) => {
  // Two servers and a command are started for it alone.
  test.slow()
  const names = { email: 'ana@example.com', firstName: 'Ana', lastName: 'Lima' }
  const { id } = (await shop.call('POST', '/sign-up', names)).said
  const seen = async () => (await shop.call('GET', `/members/${id}`)).said
  expect(await shop.call('POST', `/members/${id}/orders`, { amount: '10.00', currency: 'EUR' })).toMatchObject({
    status: 403,
    said: { message: 'Only verified members can invest' },
  })
  await page.goto(`/users/${id}?tab=kyc`)
  await expectLive(page)
  expect((await shop.call('POST', `/members/${id}/kyc`)).said.kyc).toBe('waiting')

  await expect(fact(page, 'Status')).toHaveText('Under Review')
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Rejection reason').fill('The front is blurred')
  await dialog(page).getByRole('button', { name: 'Reject' }).click()
  await expectToast(page, 'KYC Status Updated')
  await expect.poll(seen).toMatchObject({ kyc: 'rejected', reason: 'The front is blurred', membershipId: null })

  expect((await shop.call('POST', `/members/${id}/kyc`)).status).toBe(200)
  await expect(fact(page, 'Status')).toHaveText('Under Review')
  await expect(fact(page, 'Submission count')).toHaveText('2')
  await page.getByRole('button', { name: 'Approve' }).click()
  await approveAnyway(page)
  await expect(fact(page, 'Status')).toHaveText('Verified')
  await expect.poll(seen).toMatchObject({ kyc: 'approved', reason: null, membershipId: 'MB-00000018' })

  expect((await shop.call('POST', `/members/${id}/wallets`)).status).toBe(201)
  const placed = await shop.call('POST', `/members/${id}/orders`, { amount: '1500.00', currency: 'EUR' })
  const orderNumber = placed.said.orderNumber!
  await page.goto(`/orders?search=${orderNumber}`)
  await page.getByRole('link', { name: orderNumber, exact: true }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${orderNumber}`)
  await page.getByRole('button', { name: 'Mark Paid' }).click()
  await dialog(page).getByRole('button', { name: 'Mark Paid' }).click()
  await expectToast(page, 'Order Updated')
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('by platform:shop')
  await expect(page.getByRole('main').getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect.poll(seen).toMatchObject({ orders: [{ orderNumber, status: 'completed' }] })

  await page.goto(`/users?search=${names.email}`)
  await page.getByRole('button', { name: /^Ban / }).click()
  await dialog(page).getByLabel('Reason').fill('Paid with a stolen account')
  await dialog(page).getByRole('button', { name: 'Ban User' }).click()
  await expect.poll(seen).toMatchObject({ isBarred: true, reason: 'Paid with a stolen account' })
  expect(await shop.call('POST', `/members/${id}/orders`, { amount: '10.00', currency: 'EUR' })).toMatchObject({
    status: 403,
    said: { message: 'You are barred: Paid with a stolen account' },
  })
  expect((await seen()).heard).toEqual(['kyc.rejected', 'kyc.approved', 'order.paid', 'member.banned'])
  // The console writes this down after the shop's answer, so after the shop has heard of it.
  await expect
    .poll(() => server.sql(`SELECT DISTINCT state FROM messages WHERE channel = 'platform'`))
    .toEqual([{ state: 'delivered' }])
})
