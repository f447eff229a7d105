import type { Routes } from './route.ts'
import type { templateSchemas } from './schemas/reason-templates.ts'

/** Templates that one operator may keep. */
export const maxTemplates = 50
export const maxTemplateName = 40

/** Sharing, and changing what is shared, needs the permission of shared views. */
export const templateRoutes: Routes<typeof templateSchemas> = {
  list: { method: 'GET', path: '/api/reason-templates', access: 'kyc.decide' },
  create: { method: 'POST', path: '/api/reason-templates', access: 'kyc.decide' },
  change: { method: 'PATCH', path: '/api/reason-templates/:id', access: 'kyc.decide', versioned: true },
  remove: { method: 'DELETE', path: '/api/reason-templates/:id', access: 'kyc.decide' },
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** A language by its English name, or its code where it has none here. */
export const nameLanguage = (code: string): string => languages.of(code) ?? code

/** Whether a code is the one by which BCP 47 names a language, such as `de`, and neither `deu` nor `de-AT`. */
export const isLanguage = (code: string): boolean =>
  /^[a-z]{2,3}$/.test(code) && Intl.getCanonicalLocales(code)[0] === code && languages.of(code) !== undefined
