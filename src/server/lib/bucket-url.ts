/** A bucket, and where in it files are kept. */
export interface BucketPlace {
  /** Scheme, host and port of the store, and a path where it has one. */
  endpoint: string
  bucket: string
  /** Empty, or with a slash behind it. */
  prefix: string
  region: string
}

const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixForm = /^([\w.-]+\/)*$/
const known = ['endpoint', 'region']

/** Whether a place is named by a scheme, not by a path. A drive has one letter. */
export const isAddress = (text: string): boolean => /^(s3:|[a-z][a-z\d+.-]+:\/\/)/i.test(text)

/**
 * Reads `s3://bucket/folder?endpoint=https://store.internal:9000&region=eu-central-1`. Without an endpoint it is the
 * one of Amazon in that region. Throws an Error that says what is wrong.
 */
export function readBucketUrl(text: string): BucketPlace {
  const [, bucket = '', path = '', query = ''] = /^s3:\/\/([^/?#]+)\/?([^?#]*)(?:\?([^#]*))?$/.exec(text) ?? []
  if (!bucketForm.test(bucket)) throw new Error('must be like s3://bucket/folder?endpoint=https://store.internal:9000')
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  if (!prefixForm.test(prefix)) throw new Error('must have a folder of letters, digits and - _ . alone')
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`has the unknown parameter ${unknown}; there are: ${known.join(', ')}`)
  const region = parameters.get('region') ?? 'us-east-1'
  const given = parameters.get('endpoint')
  if (given !== null && !/^https?:\/\/[^?#@]+$/.test(given))
    throw new Error('must have an endpoint that is an http or https address without credentials')
  const endpoint = (given ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')
  return { endpoint, bucket, prefix, region }
}
