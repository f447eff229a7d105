import type { IncomingHttpHeaders } from 'node:http'
import type { ResultProvider } from './provider.ts'
import { standard } from './standard.ts'
import { sumsub } from './sumsub.ts'
import { veriff } from './veriff.ts'

/** All providers whose results are accepted. The console's own form comes first. */
export const resultProviders: readonly ResultProvider[] = [standard, sumsub, veriff]

/** The provider that the headers match, otherwise the console's own form. */
export const findProvider = (headers: IncomingHttpHeaders): ResultProvider =>
  resultProviders.find((provider) => provider.matches(headers)) ?? standard
