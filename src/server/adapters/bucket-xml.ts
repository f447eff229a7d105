import { SaxesParser } from 'saxes'

/** The texts of an answer, each with the names of the elements around it, joined by slashes. Without the outermost. */
function* readTexts(xml: string): Generator<[path: string, text: string, isEnd: boolean]> {
  const found: [string, string, boolean][] = []
  const names: string[] = []
  let text = ''
  let hasChildren = false
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    names.push(name)
    text = ''
    hasChildren = false
  })
  parser.on('text', (part) => (text += part))
  parser.on('closetag', () => {
    found.push([names.slice(1).join('/'), hasChildren ? '' : text, hasChildren])
    names.pop()
    hasChildren = true
  })
  parser.write(xml).close()
  yield* found
}

/** The first text at the path, such as `UploadId`. */
export function readText(xml: string, path: string): string | undefined {
  for (const [at, text] of readTexts(xml)) if (at === path) return text
  return undefined
}

export interface Listing {
  objects: { key: string; size: number; changedAt: Date }[]
  /** What folders begin with, where the listing was asked to gather them. */
  prefixes: string[]
  /** After which key the next page begins. Undefined at the last page. */
  next: string | undefined
}

/** The page of a listing, as XML. */
export function readListing(xml: string): Listing {
  const listing: Listing = { objects: [], prefixes: [], next: undefined }
  let entry: Record<string, string> = {}
  let isTruncated = false
  let marker: string | undefined
  for (const [path, text] of readTexts(xml)) {
    if (path === 'IsTruncated') isTruncated = text === 'true'
    else if (path === 'NextMarker') marker = text
    else if (path === 'CommonPrefixes/Prefix') listing.prefixes.push(text)
    else if (path === 'Contents') {
      listing.objects.push({
        key: entry.Key ?? '',
        size: Number(entry.Size),
        changedAt: new Date(entry.LastModified ?? 0),
      })
      entry = {}
    } else if (path.startsWith('Contents/')) entry[path.slice('Contents/'.length)] = text
  }
  if (isTruncated) listing.next = marker || [listing.objects.at(-1)?.key ?? '', ...listing.prefixes].toSorted().at(-1)
  return listing
}

/** The uploads in parts that nobody has completed. */
export function readUploads(xml: string): { key: string; id: string }[] {
  const uploads: { key: string; id: string }[] = []
  let key = ''
  let id = ''
  for (const [path, text] of readTexts(xml)) {
    if (path === 'Upload/Key') key = text
    else if (path === 'Upload/UploadId') id = text
    else if (path === 'Upload') uploads.push({ key, id })
  }
  return uploads
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The body that puts the parts of an upload together, in their order. */
export const buildCompletion = (tags: readonly string[]): string =>
  `<CompleteMultipartUpload>${tags
    .map((tag, n) => `<Part><PartNumber>${n + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`)
    .join('')}</CompleteMultipartUpload>`
