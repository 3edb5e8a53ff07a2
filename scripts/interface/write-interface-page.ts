import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { interfacePage, interfacePagePath } from './interface-page.ts'

// To be run when an operation was added or changed: `npx --yes pnpm@12 docs:interface`.

writeFileSync(join(import.meta.dirname, '../..', interfacePagePath), interfacePage())
