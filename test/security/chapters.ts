import type { Chapter } from './requirement.ts'
import { authentication, authorization, sessions } from './requirements/access.ts'
import { businessLogic, encoding } from './requirements/input.ts'
import {
  architecture,
  communication,
  configuration,
  cryptography,
  dataProtection,
  logging,
} from './requirements/operation.ts'
import { api, files, webFrontend } from './requirements/web.ts'

/** OWASP ASVS 5.0.0, the chapters that have an object here. */
export const chapters: Chapter[] = [
  encoding,
  businessLogic,
  webFrontend,
  api,
  files,
  authentication,
  sessions,
  authorization,
  cryptography,
  communication,
  configuration,
  dataProtection,
  architecture,
  logging,
]
