import { createSignInLink, linkMinutes, setBreakGlass } from '#server/features/auth/service.ts'
import { unlinkProvider } from '#server/features/oidc/service.ts'
import { resetFactors } from '#server/features/operators/service.ts'
import type { Command } from './command.ts'
import { countSessions } from './count-sessions.ts'

export const signInLinkCommand =
  (username: string): Command =>
  async (ctx) =>
    [
      `Open this in the browser of ${username}, then sign in with the password as usual. The address is that of PUBLIC_URL,`,
      'HOST and PORT as they are set here; where the console runs at another, put its own before the path:',
      await createSignInLink(ctx, username),
      `It works once, until ${linkMinutes} minutes from now.`,
    ].join('\n')

export const resetFactorsCommand =
  (username: string): Command =>
  async (ctx) => {
    const { operator, factors, endedSessions } = await resetFactors(ctx, { username }, null)
    const what = factors === 1 ? '1 second factor' : `${factors} second factors`
    return `${what} of ${operator.username} removed; ${countSessions(endedSessions)} ended. The password alone signs in now.`
  }

export const breakGlassCommand =
  (username: string, isOn: boolean): Command =>
  async (ctx) => {
    const isChanged = await setBreakGlass(ctx, username, isOn)
    const state = isOn ? 'signs in by password also where' : 'does not sign in by password where'
    return `${username} ${isChanged ? 'now ' : ''}${state} LOCAL_SIGN_IN is off.`
  }

export const unlinkCommand =
  (username: string): Command =>
  async (ctx) => {
    const { username: name, isUnlinked } = await unlinkProvider(ctx, username)
    return isUnlinked
      ? `${name} is no longer linked to the sign-in provider.`
      : `${name} is linked to no sign-in provider.`
  }
