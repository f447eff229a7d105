import type { Sharp, SharpOptions } from 'sharp'

export type MakeSharp = (input: Buffer, options?: SharpOptions) => Sharp
let loading: Promise<MakeSharp> | undefined

/** Loads sharp with the first picture, because libvips would slow down every start. Its operation cache is never useful here. */
export function loadSharp(): Promise<MakeSharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    // One thread per picture, because more threads need more memory.
    sharp.concurrency(1)
    return sharp
  })
  return loading
}
