import { platformMember, platformSaveMember } from './client'
import { client } from './client/client.gen'

async function main([baseUrl = '', key = '']: string[]): Promise<void> {
  client.setConfig({ baseUrl, auth: key })
  const path = { id: 'client-2' }
  const { data: saved } = await platformSaveMember({
    path,
    body: { email: 'other@example.com', legalFirstName: 'Bea' },
  })
  const { data: member } = await platformMember({ path })
  const kycStatus: string | null | undefined = member?.kyc.status
  const { error } = await platformMember({ path: { id: 'nobody' } })
  console.log(JSON.stringify([saved?.outcome, member?.email, kycStatus, error?.code]))
}
void main(process.argv.slice(2))
