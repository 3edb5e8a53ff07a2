import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installProject } from '../../test/packages/installed-project.ts'
import { packPackages } from '../../test/packages/pack-packages.ts'

/** Where a project outside of the workspace has installed the packages as they are published. */
export interface ShippedPackages {
  readonly project: string
  /** The file of the `gateleg` command. */
  readonly command: string
}

/** Packs the packages and installs them in a project in the folder: what people run, not the sources that it is built from. */
export async function installShipped(folder: string): Promise<ShippedPackages> {
  const project = join(folder, 'project')
  mkdirSync(folder, { recursive: true })
  installProject(project, await packPackages(folder))
  return { project, command: join(project, 'node_modules/gateleg/dist/main.js') }
}
