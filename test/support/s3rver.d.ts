/** The part of the package that the tests use. It comes without types. */
declare module '@20minutes/s3rver' {
  export default class S3Server {
    constructor(options: object)
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
