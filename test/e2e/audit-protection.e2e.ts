import { expect, expectAccessible, test } from './support/harness.ts'
import { openProtection } from './support/security-page.ts'

test('a line says how far the audit log is sealed, and who could change it (product 5.12)', async ({
  page,
  server,
  operator,
}) => {
  await expect(async () => {
    const { chain, verification } = await (await operator.get('/api/security/integrity')).json()
    expect([Number(chain.sealedTo) > 0, verification !== null]).toEqual([true, true])
  }).toPass()
  await page.goto('/security')
  const protection = await openProtection(page, 'Audit log intact')
  await expect(protection).toContainText(/Sealed up to entry [\d,]+/)
  await expect(protection).toContainText(/Last verified \w{3} \d\d, \d{4} at \d\d:\d\d/)
  await expect(protection).toContainText('has the rights of a superuser, so it can change this log')
  await server.sql(`UPDATE settings SET value = value || '{"fault": {"seq": "3", "auditId": "9", "kind": "deleted"}}'
    WHERE name = 'audit_verification'`)
  await page.reload()
  await openProtection(page, 'Audit log altered')
  await expect(protection).toContainText('The first bad entry is 3 (row 9 of the audit log): the row was deleted.')
  await expectAccessible(page)
})
