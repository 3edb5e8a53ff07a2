import { buildPackages } from './packaging/build-packages.ts'

// Builds every package for publishing: `npx --yes pnpm@12 build`, then `pnpm -r pack`.
await buildPackages()
