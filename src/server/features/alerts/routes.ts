import type { FastifyInstance } from 'fastify'
import { alertRoutes, type AlertOutput } from '#contract/alerts.ts'
import { mount } from '#server/http/mount.ts'
import { confirmEmail, removeAddress, sendTest, setChat, setEmail } from './addresses.ts'
import { chooseAlerts } from './choose.ts'
import { readAlerts } from './read.ts'

const outputNames: Record<AlertOutput, string> = { email: 'e-mail', chat: 'chat' }

export function registerAlertRoutes(app: FastifyInstance): void {
  mount(app, alertRoutes.read, (ctx) => readAlerts(ctx))

  mount(app, alertRoutes.choose, async (ctx, { body, ifMatch }) => {
    const alerts = await chooseAlerts(ctx, body, ifMatch)
    return { message: 'Your alerts were saved', alerts }
  })

  mount(app, alertRoutes.setEmail, async (ctx, { body }) => {
    const alerts = await setEmail(ctx, body.address)
    return { message: 'A code goes to that address now', alerts }
  })

  mount(app, alertRoutes.confirmEmail, async (ctx, { body }) => {
    const alerts = await confirmEmail(ctx, body.code)
    return { message: 'The address was confirmed', alerts }
  })

  mount(app, alertRoutes.setChat, async (ctx, { body }) => {
    const alerts = await setChat(ctx, body.url)
    return { message: 'The chat was set', alerts }
  })

  mount(app, alertRoutes.remove, async (ctx, { params: { output } }) => {
    const alerts = await removeAddress(ctx, output)
    return { message: `Nothing goes by ${outputNames[output]} any more`, alerts }
  })

  mount(app, alertRoutes.test, async (ctx, { params: { output } }) => {
    await sendTest(ctx, output)
    return { message: `A test goes out by ${outputNames[output]} now` }
  })
}
