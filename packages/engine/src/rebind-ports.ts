import type { PortName, Ports } from '@gateleg/domain/ports'
import { ContainerModule } from 'inversify'
import { portToken } from './tokens.ts'

/** A module that replaces the named ports: `openEngine({ modules: [rebindPorts({ clock })] })`. */
export function rebindPorts(ports: Partial<Ports>): ContainerModule {
  return new ContainerModule(({ rebind }) => {
    for (const [name, port] of Object.entries(ports)) {
      rebind(portToken(name as PortName)).toConstantValue(port as never)
    }
  })
}
