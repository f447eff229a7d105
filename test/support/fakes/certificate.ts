const pem = (what: string, base64: string) => `-----BEGIN ${what}-----\n${base64}\n-----END ${what}-----\n`

/** Of localhost, signed by itself: nobody has a reason to trust it. */
export const testCertificate = {
  key: pem(
    'PRIVATE KEY',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0UB4wVqmYM3p1HSR9q/sMQabght+yuKuhH3j1qIL4++hRANCAATy' +
      'hLUsTGntnPbRRyAAeK6tK8jXHJ9YfEKcd5YzM6Mm5ktHgrZkQo3gDB83kimQPEm/HmVFMyIphSZpQyq73JU/',
  ),
  cert: pem(
    'CERTIFICATE',
    'MIIBgDCCASWgAwIBAgIUMPDmI5gFXu17yDMPkxQKg8siE1owCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2' +
      'MTEyMTE0MTUzM1oYDzIxMjYxMDI4MTQxNTMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC' +
      'AATyhLUsTGntnPbRRyAAeK6tK8jXHJ9YfEKcd5YzM6Mm5ktHgrZkQo3gDB83kimQPEm/HmVFMyIphSZpQyq73JU/o1MwUTAdBgNV' +
      'HQ4EFgQUNAM3mjgkxK98EKFATncerCnIsPkwHwYDVR0jBBgwFoAUNAM3mjgkxK98EKFATncerCnIsPkwDwYDVR0TAQH/BAUwAwEB' +
      '/zAKBggqhkjOPQQDAgNJADBGAiEA2pOJIMcGRWPkNGR7Z0pSisbkEXTi4Y5Thy0EPihjcvUCIQCEQbT1r8DRizEl1PE2fc4RsNLJ' +
      'EQbdEtujJdZVp9nWVg==',
  ),
}
