export { countNotice } from './notices.ts'
