import { missingCredentials } from '#contract/auth.ts'
import { mostFactors } from '#contract/factors.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import type { ErrorCode } from '#server/lib/errors.ts'

const tooMany = 'Too many failed sign-ins. Try again in 1 minute.'
const wrongCode = { invalid_credentials: 'This code is not valid', too_many_requests: tooMany }
const wrongPasskey = { invalid_credentials: 'This passkey is not accepted', too_many_requests: tooMany }
const noPasskeys = 'Passkeys can’t be used at this address: open the console at http://localhost:3000'
const fullList = { factor_limit: `There are ${mostFactors} factors already; remove one first` }
const noFactor = 'Factor not found'
const noMail = 'This console sends no e-mail: SMTP_URL and MAIL_FROM are not set'
const justSent = 'One was sent a moment ago. Try again in a minute.'
const provider = {
  not_found: 'Sign-in provider not found',
  too_many_requests: 'Too many sign-ins. Try again in 1 minute.',
  provider_unavailable: 'Sign-in with Example ID can’t be reached now. Try again in a moment.',
}

/** The messages of refusals around signing in and second factors. */
export const authRefusals: Partial<Record<CallName, Partial<Record<ErrorCode, string>>>> = {
  'auth.login': {
    invalid: missingCredentials,
    invalid_credentials: 'Invalid credentials',
    too_many_requests: tooMany,
  },
  'accountSecurity.endSession': {
    not_found: 'Session not found',
    own_session: 'This is the session you are using: sign out instead',
  },
  'accountSecurity.changePassword': {
    invalid: 'newPassword: must have 15 to 128 characters',
    invalid_credentials: 'The current password is not right',
    too_many_requests: tooMany,
  },
  'alerts.choose': {
    invalid: 'timeZone: must be an IANA time zone',
    forbidden: 'Your role does not see one of these notices',
    stale: 'Your alerts were changed meanwhile. Look again and decide.',
  },
  'alerts.setEmail': {
    invalid: 'address: must be an e-mail address such as name@example.com',
    alerts_unset: noMail,
    too_many_requests: justSent,
  },
  'alerts.confirmEmail': { invalid: 'code: is not the code of the last e-mail, or too old: send another' },
  'alerts.setChat': { invalid: 'url: 10.0.0.5 is not public (WEBHOOK_ALLOW_PRIVATE is off)' },
  'alerts.remove': { invalid: 'output: must be one of email, chat' },
  'alerts.test': {
    invalid: 'output: must be one of email, chat',
    alerts_unset: 'There is no address to send to yet',
    too_many_requests: justSent,
  },
  'auth.mfaPasskey': wrongPasskey,
  'auth.mfaTotp': wrongCode,
  'auth.mfaRecovery': wrongCode,
  'auth.stepUp': wrongCode,
  'oidc.begin': { invalid: 'returnTo: must be the path of a page of the console', ...provider },
  'oidc.beginStepUp': provider,
  'oidc.beginLink': provider,
  'factors.beginPasskey': { passkeys_unavailable: noPasskeys, ...fullList },
  'factors.addPasskey': {
    invalid: 'response: is no answer to a challenge of the last 5 minutes; begin anew',
    passkeys_unavailable: noPasskeys,
    passkey_taken: 'This passkey is already added',
    ...fullList,
  },
  'factors.beginTotp': fullList,
  'factors.addTotp': { invalid: 'code: is not the code that the app shows now', ...fullList },
  'factors.rename': { not_found: noFactor },
  'factors.remove': {
    not_found: noFactor,
    last_factor: 'This is the last factor, and one is required here; add another first',
  },
  'factors.createRecoveryCodes': { no_factor: 'Recovery codes stand in for a factor; add one first' },
}
