import type { DocumentKind } from '#contract/kyc.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import { prepareImage, storeFile, saveDocuments, type NewDocument } from '#server/features/documents/service.ts'
import { faces } from './faces.ts'
import { documentTypes, type DemoAttempt } from './history.ts'
import type { Person } from './people.ts'
import { drawBack, drawFront, renderJpeg, drawSelfie, type Card } from './pictures.ts'

const parallelPictures = 4
const cardStyles: Record<string, { title: string; color: string }> = {
  [documentTypes[0]]: { title: 'IDENTITY CARD', color: '#35506e' },
  [documentTypes[1]]: { title: 'PASSPORT', color: '#5a2f3c' },
  [documentTypes[2]]: { title: 'DRIVING LICENCE', color: '#2f5a4a' },
}

/** `<member>/<kind>` to the key of the stored picture. */
export type DocumentKeys = Map<string, string>

const hasBack = (documentType: string) => documentType !== documentTypes[1]

/** `1991-03-14` as cards have it: `14 03 1991`. */
const formatCardDate = (date: string) => date.split('-').toReversed().join(' ')

function createCard(person: Person, documentType: string): Card {
  return {
    ...cardStyles[documentType]!,
    country: person.country.code,
    family: person.family.roman,
    given: person.given.roman,
    dateOfBirth: formatCardDate(person.dateOfBirth),
    sex: faces[person.face]!.isWoman ? 'F' : 'M',
    number: person.documentNumber,
    expires: formatCardDate(person.expires),
  }
}

/** The card of a decided case, shared by all members with the same face. */
const specimenCard = (documentType: string, isWoman: boolean): Card => ({
  ...cardStyles[documentType]!,
  country: 'UTO',
  family: 'SPECIMEN',
  given: isWoman ? 'ERIKA' : 'ERIK',
  sex: isWoman ? 'F' : 'M',
  dateOfBirth: '14 03 1991',
  number: 'SP 3149502',
  expires: '02 08 2031',
})

interface PictureRequest {
  memberId: string
  kind: DocumentKind
  /** Members who share a picture share this name. */
  picture: string
  draw: () => string
}

/** Waiting cases have their own cards, because an operator compares them. All other pictures are shared. */
function listPictures({ person, documentType, steps }: DemoAttempt): PictureRequest[] {
  const face = faces[person.face]!
  const memberId = person.id
  const wanted: PictureRequest[] = []
  if (steps >= 3) {
    const isOwn = person.stage === 'waiting'
    const card = isOwn ? createCard(person, documentType) : specimenCard(documentType, face.isWoman)
    const owner = isOwn ? memberId : person.face
    wanted.push({ memberId, kind: 'front', picture: `front ${owner}`, draw: () => drawFront(card, face) })
    if (hasBack(documentType))
      wanted.push({ memberId, kind: 'back', picture: `back ${owner}`, draw: () => drawBack(card) })
  }
  if (steps === 4)
    wanted.push({ memberId, kind: 'selfie', picture: `selfie ${person.face}`, draw: () => drawSelfie(face) })
  return wanted
}

/** Draws, encodes and stores the pictures of all attempts, each distinct picture once. */
export async function storeSpecimens(ctx: Ctx, attempts: readonly DemoAttempt[]): Promise<DocumentKeys> {
  const pictures = [
    ...new Map(attempts.flatMap(listPictures).map((one) => [`${one.memberId}/${one.kind}`, one])).values(),
  ]
  const images = await drawPictures(ctx, pictures)
  const items = pictures.map(({ memberId, kind, picture }): NewDocument => ({
    memberId,
    kind,
    image: images.get(picture)!,
  }))
  const keys: DocumentKeys = new Map()
  for (let at = 0; at < items.length; at += 500) {
    const batch = items.slice(at, at + 500)
    const kept = await inTransaction(ctx, (tx) => saveDocuments(tx, batch))
    for (const [index, { memberId, kind }] of batch.entries())
      keys.set(`${memberId}/${kind}`, kept[index]!.documentPath)
  }
  return keys
}

async function drawPictures(ctx: Ctx, wanted: readonly PictureRequest[]): Promise<Map<string, NewDocument['image']>> {
  const left = [...new Map(wanted.map((one) => [one.picture, one])).values()]
  const images = new Map<string, NewDocument['image']>()
  const drawNext = async () => {
    for (let one = left.pop(); one; one = left.pop())
      images.set(one.picture, await storeFile(ctx, await prepareImage(await renderJpeg(one.draw()))))
  }
  await Promise.all(Array.from({ length: parallelPictures }, drawNext))
  return images
}

/** The attempt as an import line, with the keys of its documents. */
export function buildSteps({ person, documentType, steps }: DemoAttempt, keys: DocumentKeys) {
  const key = (kind: DocumentKind) => keys.get(`${person.id}/${kind}`)!
  const { dateOfBirth, country, residence } = person
  return {
    step2: { dateOfBirth, nationality: country.name, countryOfResidence: residence.name },
    ...(steps >= 3 && {
      step3: {
        documentType,
        frontDocumentPath: key('front'),
        ...(hasBack(documentType) && { backDocumentPath: key('back') }),
      },
    }),
    ...(steps === 4 && { step4: { selfiePath: key('selfie') } }),
  }
}
