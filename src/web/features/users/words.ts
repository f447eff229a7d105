/** `national_id_card` → `National id card`; what is no machine word stays as the platform wrote it. */
export const asWords = (value: string): string =>
  /^[a-z]+([_-][a-z]+)*$/.test(value) ? value.charAt(0).toUpperCase() + value.slice(1).replaceAll(/[_-]/g, ' ') : value
