import sharp from 'sharp'
import { expect, test } from 'vitest'
import { mostLinked } from '#contract/kyc-links.ts'
import type { MemberLink } from '#contract/schemas/kyc-reviews.ts'
import { hashPictures, storeDocument } from '#server/features/documents/service.ts'
import { eraseMember } from '#server/features/erasure/service.ts'
import {
  makeAttempt,
  makeChainTransaction,
  makeDocument,
  makeMember,
  makeMembers,
  makeOrder,
  makeWallet,
  newAddress,
} from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply, undo } = createAllocationCaller(server)

async function readLinks(id: string): Promise<MemberLink[]> {
  const reply = await ada('GET', `/api/users/${id}/links`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ links: MemberLink[] }>().links
}
/** The members by fact. */
const readFacts = async (id: string) =>
  Object.fromEntries((await readLinks(id)).map(({ fact, members }) => [fact, members.map(({ member }) => member.id)]))

/** A drawing that no other seed gives. */
const draw = (seed: number, width = 640) => {
  const shapes = Array.from({ length: 14 }, (_, at) => {
    const value = (step: number) => (seed * 7919 + at * 104_729 + step * 1_299_709) % 9973
    return `<rect x="${value(1) % 560}" y="${value(2) % 340}" width="${40 + (value(3) % 200)}" height="${30 + (value(4) % 140)}" fill="hsl(${value(5) % 360} 60% ${15 + (value(6) % 70)}%)"/>`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400"><rect width="640" height="400" fill="#ddd"/>${shapes.join('')}</svg>`
  return sharp(Buffer.from(drawing)).resize({ width })
}

const hash = () => hashPictures(server.system, new AbortController().signal)

let numbers = 0
/** A telephone number that no other test has. */
const newPhone = () => `+351 912 000 ${(numbers += 1) + 100}`

test('a member has no links at first', async () => {
  expect(await readLinks((await makeMember(server)).id)).toEqual([])
})

test('members with the same telephone number are named, however it is written', async () => {
  const own = await makeMember(server, { legalPhone: '+351 912-000-700' })
  const other = await makeMember(server, { legalPhone: '00351 (0) 912 000 700', kycStatus: 'approved' })
  await makeMember(server, { legalPhone: '+351 912 000 701' })
  await makeMember(server, { legalPhone: '112' })
  expect(await readFacts(own.id)).toEqual({ phone: [other.id] })
  expect(await readFacts(other.id)).toEqual({ phone: [own.id] })
})

test('a number of a few digits links nobody', async () => {
  const [own] = await makeMembers(server, 2, () => ({ legalPhone: '112' }))
  expect(await readFacts(own!.id)).toEqual({})
})

test('a link says the outcome of the other member', async () => {
  const own = await makeMember(server, { legalPhone: newPhone() })
  const rejected = await makeMember(server, { legalPhone: own.legalPhone, kycStatus: 'under_review' })
  await makeAttempt(server, rejected.id)
  await ada('POST', `/api/users/${rejected.id}/kyc/reject`, { rejectionReason: 'Blurred' })
  const banned = await makeMember(server, { legalPhone: own.legalPhone, banned: true })
  const [link] = await readLinks(own.id)
  expect(link).toMatchObject({ fact: 'phone', total: 2 })
  expect(link!.members).toEqual([
    expect.objectContaining({
      member: expect.objectContaining({ id: banned.id, kycBanned: true, bannedReason: 'Fraud' }),
      bannedAt: expect.stringMatching(/Z$/),
    }),
    expect.objectContaining({
      member: expect.objectContaining({ id: rejected.id }),
      kycStatus: 'rejected',
      rejectionReason: 'Blurred',
      decidedAt: expect.stringMatching(/Z$/),
      picture: null,
    }),
  ])
})

test('a few members are shown of a fact, and all are counted', async () => {
  const legalPhone = newPhone()
  const [own] = await makeMembers(server, mostLinked + 4, () => ({ legalPhone }))
  const [link] = await readLinks(own!.id)
  expect(link).toMatchObject({ total: mostLinked + 3 })
  expect(link!.members).toHaveLength(mostLinked)
})

test('members with the same name and date of birth are named', async () => {
  const person = { legalFirstName: 'José', legalLastName: 'Lima' }
  const own = await makeMember(server, person)
  const twin = await makeMember(server, { legalFirstName: 'LIMA', legalLastName: 'jose' })
  const [namesake, stranger] = await makeMembers(server, 2, (at) => (at === 0 ? person : { legalFirstName: 'Ana' }))
  for (const { id } of [own, twin, namesake!, stranger!]) await makeAttempt(server, id)
  await server.sql("UPDATE kyc_step2 SET date_of_birth = '1990-01-01' WHERE member_id = $1", [namesake!.id])
  expect(await readFacts(own.id)).toEqual({ name_birth: [twin.id] })
  expect(await readFacts(twin.id)).toEqual({ name_birth: [own.id] })
  expect(await readFacts(stranger!.id)).toEqual({})
})

test('members whose orders one account has paid are named, as long as that counts', async () => {
  const members = await makeMembers(server, 3, () => ({ legalFirstName: 'Ana', legalLastName: 'Lima' }))
  const [own, other, alone] = members
  const account = 'LT601010012345678901'
  const pay = async (memberId: string, payerAccount: string) => {
    const order = await makeOrder(server, memberId, { investmentAmount: '100.00' })
    return apply((await makeLine({ payerAccount })).id, [payOrder(order, '100.00')], { reason: 'Known' })
  }
  await pay(own!.id, account)
  await pay(alone!.id, 'DE89370400440532013000')
  const paid = await pay(other!.id, account)
  expect(await readFacts(own!.id)).toEqual({ account: [other!.id] })
  expect(await readFacts(alone!.id)).toEqual({})
  await undo(paid.allocations[0]!.id)
  expect(await readFacts(own!.id)).toEqual({})
})

test('members are named to whose wallets tokens went, and from which they came', async () => {
  const [own, other, third] = await makeMembers(server, 3, () => ({}))
  const [sender, receiver] = [await makeWallet(server, own!.id), await makeWallet(server, other!.id)]
  await makeWallet(server, third!.id)
  const between = { fromAddress: sender.address, toAddress: receiver.address }
  await makeChainTransaction(server, sender.address, { ...between, status: 'failed' })
  await makeChainTransaction(server, sender.address, { fromAddress: sender.address, toAddress: newAddress() })
  expect(await readFacts(own!.id)).toEqual({})
  await makeChainTransaction(server, sender.address, between)
  expect(await readFacts(own!.id)).toEqual({ wallet: [other!.id] })
  expect(await readFacts(other!.id)).toEqual({ wallet: [own!.id] })
})

test('members with the same picture are named, in another size or compression too', async () => {
  const [own, same, smaller, another] = await makeMembers(server, 4, () => ({}))
  const picture = await draw(1).png().toBuffer()
  await storeDocument(server.system, own!.id, 'front', picture)
  await storeDocument(server.system, same!.id, 'selfie', picture)
  await storeDocument(server.system, smaller!.id, 'front', await draw(1, 500).jpeg({ quality: 70 }).toBuffer())
  await storeDocument(server.system, another!.id, 'front', await draw(2).png().toBuffer())
  const [link] = await readLinks(own!.id)
  expect(link).toMatchObject({ fact: 'picture', total: 2 })
  const pictures = Object.fromEntries(link!.members.map(({ member, picture: shared }) => [member.id, shared]))
  expect(pictures).toEqual({
    [same!.id]: { own: 'front', other: 'selfie', isSame: true },
    [smaller!.id]: { own: 'front', other: 'front', isSame: false },
  })
  expect(await readFacts(another!.id)).toEqual({})
})

test('pictures of one colour look like nothing', async () => {
  const [own, other] = await makeMembers(server, 2, () => ({}))
  const plain = (width: number) => sharp({ create: { width, height: 300, channels: 3, background: '#222' } })
  await storeDocument(server.system, own!.id, 'front', await plain(400).png().toBuffer())
  await storeDocument(server.system, other!.id, 'front', await plain(500).png().toBuffer())
  expect(await readFacts(own!.id)).toEqual({})
})

test('the job gives earlier pictures their hash, and passes over lost ones', async () => {
  await hash()
  const [own, other] = await makeMembers(server, 2, () => ({}))
  await makeDocument(server, own!.id, { bytes: await draw(3).jpeg().toBuffer() })
  await makeDocument(server, other!.id, { bytes: await draw(3, 500).jpeg().toBuffer() })
  await makeDocument(server, other!.id, { kind: 'back', bytes: null })
  expect(await readFacts(own!.id)).toEqual({})
  expect(await hash()).toBe(3)
  expect(await readFacts(own!.id)).toEqual({ picture: [other!.id] })
  expect(await hash()).toBe(0)
})

test('erased members are in no link, and their pictures leave no hash', async () => {
  const legalPhone = newPhone()
  const members = await makeMembers(server, 2, () => ({ legalPhone }))
  const [own, erased] = members
  const picture = await draw(4).png().toBuffer()
  for (const { id } of members) await storeDocument(server.system, id, 'front', picture)
  expect(Object.values(await readFacts(own!.id))).toEqual([[erased!.id], [erased!.id]])
  await eraseMember(server.system, erased!.id)
  expect(await readFacts(own!.id)).toEqual({})
  expect(await readFacts(erased!.id)).toEqual({})
  expect(await server.sql('SELECT key FROM documents WHERE member_id = $1', [erased!.id])).toEqual([])
})

test('links are told to who may view KYC alone', async () => {
  const { id } = await makeMember(server)
  for (const role of ['viewer', 'reviewer', 'finance'] as const) await server.addOperator(role, role)
  for (const [role, status] of [
    ['viewer', 200],
    ['reviewer', 200],
    ['finance', 403],
  ] as const)
    expect((await server.as(role)('GET', `/api/users/${id}/links`)).statusCode, role).toBe(status)
  expect((await ada('GET', '/api/users/nobody/links')).statusCode).toBe(404)
})

test('links are in the order of the facts', async () => {
  const person = { legalFirstName: 'Bo', legalLastName: 'Roth', legalPhone: newPhone() }
  const members = await makeMembers(server, 2, () => person)
  for (const { id } of members) await makeAttempt(server, id)
  expect(Object.keys(await readFacts(members[0]!.id))).toEqual(['phone', 'name_birth'])
})
