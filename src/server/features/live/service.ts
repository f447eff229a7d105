export { endStreams } from './end-streams.ts'
