import { hash, verify } from '@node-rs/argon2'

// notes: argon2id, 64 MiB, 3 passes: about 50 ms on a small server.
const parameters = { algorithm: 2 /* argon2id */, memoryCost: 65_536, timeCost: 3, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, parameters)
export const verifyPassword = (passwordHash: string, password: string) => verify(passwordHash, password)
