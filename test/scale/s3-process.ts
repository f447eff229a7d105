import { globSync, rmSync } from 'node:fs'
import { startS3 } from '#test/support/s3-server.ts'

/** A store that speaks S3, as a process that can be killed: `<folder> <port>`. Sends its settings for a console once it answers. */
const [directory, port] = process.argv.slice(2) as [string, string]
// What speaks S3 keeps no half of an object. This one may, when it was killed, and writes the metadata last.
for (const object of globSync(`${directory}/**/*._S3rver_object`))
  if (globSync(object.replace(/object$/, 'metadata.json')).length === 0) rmSync(object)
const { settings } = await startS3({ directory, port: Number(port) })
process.send!(settings())
process.on('disconnect', () => process.exit())
