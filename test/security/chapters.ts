import type { Chapter } from './requirement.ts'
import { authentication } from './requirements/authentication.ts'
import { authorization } from './requirements/authorization.ts'
import { configuration, dataProtection } from './requirements/configuration.ts'
import { communication, cryptography } from './requirements/cryptography.ts'
import { oauth, tokens } from './requirements/identity-provider.ts'
import { businessLogic, encoding } from './requirements/input.ts'
import { architecture, logging } from './requirements/operation.ts'
import { sessions } from './requirements/sessions.ts'
import { api, files, webFrontend } from './requirements/web.ts'

/** OWASP ASVS 5.0.0 but for V17, since nothing is sent by WebRTC. */
export const chapters: Chapter[] = [
  encoding,
  businessLogic,
  webFrontend,
  api,
  files,
  authentication,
  sessions,
  authorization,
  tokens,
  oauth,
  cryptography,
  communication,
  configuration,
  dataProtection,
  architecture,
  logging,
]
