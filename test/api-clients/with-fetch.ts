import createClient from 'openapi-fetch'
import type { paths } from './schema'

async function main([baseUrl = '', key = '']: string[]): Promise<void> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const call = { params: { path: { id: 'client-1' } } }
  const body = { email: 'client@example.com', legalFirstName: 'Ana' }
  const { data: saved } = await client.PUT('/api/platform/v1/members/{id}', { ...call, body })
  const { data: member } = await client.GET('/api/platform/v1/members/{id}', call)
  const kycStatus: string | null | undefined = member?.kyc.status
  const { error } = await client.GET('/api/platform/v1/members/{id}', { params: { path: { id: 'nobody' } } })
  console.log(JSON.stringify([saved?.outcome, member?.email, kycStatus, error?.code]))
}
void main(process.argv.slice(2))
