/** KYC Webhooks. */
export function WebhooksPage() {
  return <div className="gutter py-6" />
}
