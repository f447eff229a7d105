import type { IncomingHttpHeaders } from 'node:http'
import type { ResultProvider } from './provider.ts'
import { standard } from './standard.ts'
import { sumsub } from './sumsub.ts'
import { veriff } from './veriff.ts'

/** Every provider whose results are accepted, the console's own form first. */
export const resultProviders: readonly ResultProvider[] = [standard, sumsub, veriff]

/** The provider whose form the headers show; the console's own form where they show none. */
export const findProvider = (headers: IncomingHttpHeaders): ResultProvider =>
  resultProviders.find((provider) => provider.matches(headers)) ?? standard
