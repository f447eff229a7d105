import type { Services } from '#server/context.ts'

export async function fillDemo(_services: Services, _say: (line: string) => void): Promise<void> {}
