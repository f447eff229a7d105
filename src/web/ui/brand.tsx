export const BrandMark = () => (
  <svg viewBox="0 0 24 24" aria-hidden className="size-6 shrink-0 text-accent">
    <rect width="24" height="24" rx="6" fill="currentColor" />
    <path
      d="M7 16.5V11m5 5.5v-9m5 9V13"
      stroke="var(--on-accent)"
      strokeWidth="2.25"
      strokeLinecap="round"
      fill="none"
    />
  </svg>
)
