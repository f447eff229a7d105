/** KYC Management. */
export function KycPage() {
  return <div className="gutter py-6" />
}
