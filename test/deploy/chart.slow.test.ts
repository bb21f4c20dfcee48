/** The Helm chart and compose.yaml: what they give a cluster or an engine of containers, and that it fits Parley. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileSetting } from "../../src/config/secret-files.ts";
import { settingsWith } from "../../src/config/setting.ts";
import { packageFolder } from "../../src/core/tools/package-folder.ts";
import { platformModules } from "../../src/platforms.ts";
import { hasHelm, runPython } from "../doubles/processes/helm.ts";

type Container = {
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
};
type Pod = {
  readonly containers: readonly [Container];
  readonly volumes: readonly object[];
  readonly securityContext: object;
};
type Resource = { readonly kind: string; readonly spec: Readonly<Record<string, unknown>> };
type Rendered = { readonly problems: readonly string[]; readonly resources: readonly Resource[] };

const containerfile = readFileSync(join(packageFolder, "Containerfile"), "utf8");
/** By its values: each takes a second. */
const rendered = new Map<string, Rendered>();

function render(values: object): Rendered {
  const text = JSON.stringify(values);
  const found = rendered.get(text) ?? (runPython(["test/deploy/render-chart.py", "deploy/chart", text]) as Rendered);
  rendered.set(text, found);
  return found;
}

const kindsOf = ({ resources }: Rendered) => resources.map(({ kind }) => kind);

function deploymentIn({ resources }: Rendered) {
  const { spec } = resources.find(({ kind }) => kind === "Deployment") ?? {};
  const { template, replicas, strategy } = spec as {
    readonly replicas: number;
    readonly strategy: object;
    readonly template: { readonly spec: Pod };
  };
  return { replicas, strategy, pod: template.spec, container: template.spec.containers[0] };
}

describe.skipIf(!hasHelm())("the chart", () => {
  const withRedis = { replicas: 2, secret: { keys: ["REDIS_URL", "CONSOLE_TOKEN"] } };
  const whole = {
    ...withRedis,
    settings: { PUBLIC_URL: "https://parley.example.com", TRUSTED_PROXY: "10.0.0.0/8", RETENTION_DAYS: 30 },
    image: { pullSecrets: ["registry"], tag: "9.9.9" },
    ingress: { enabled: true, className: "nginx", tlsSecret: "certificate", annotations: { a: "b" } },
    nodeSelector: { disk: "fast" },
    tolerations: [{ key: "team", operator: "Exists" }],
    affinity: { nodeAffinity: {} },
  };

  it.each([
    ["as it is", {}],
    ["with Redis", withRedis],
    ["with everything", whole],
    ["without a secret", { secret: { keys: [] }, settings: { CONSOLE: "off" } }],
    ["on a volume that exists", { storage: { existingClaim: "ours" } }],
  ])("is accepted by Helm, and by the schemas of Kubernetes: %s", (_, values) => {
    expect(render(values).problems).toEqual([]);
  });

  it("is refused by those schemas when something isn't known there", () => {
    expect(render({ resources: { limts: {} } }).problems.join()).toContain("'limts' was unexpected");
  });

  it("runs one instance on a volume, which the next one takes over", () => {
    const { replicas, strategy } = deploymentIn(render({}));

    expect(kindsOf(render({}))).toEqual(["Deployment", "Service", "PersistentVolumeClaim"]);
    expect({ replicas, strategy }).toEqual({ replicas: 1, strategy: { type: "Recreate" } });
    expect(kindsOf(render({ storage: { existingClaim: "ours" } }))).toEqual(["Deployment", "Service"]);
  });

  it("runs several over Redis, without a volume", () => {
    const { replicas, strategy } = deploymentIn(render(whole));

    expect(kindsOf(render(whole))).toEqual(["Deployment", "PodDisruptionBudget", "Ingress", "Service"]);
    expect({ replicas, strategy }).toEqual({ replicas: 2, strategy: { type: "RollingUpdate" } });
  });

  it("refuses several without Redis, and a port that nothing leads to, in one sentence each", () => {
    expect(render({ replicas: 2 }).problems.join()).toContain("replicas: more than one instance needs REDIS_URL.");
    expect(render({ settings: { PORT: 4000 } }).problems.join()).toContain("settings: PORT is always 3000 here.");
  });

  it("reads secrets as files, and only settings that exist", () => {
    const settings = settingsWith(platformModules);
    const { container } = deploymentIn(render(whole));
    const names = container.env.map(({ name }) => name.replace(/_FILE$/, ""));

    expect(names.filter((name) => !settings.has(name))).toEqual([]);
    expect(container.env).toContainEqual({ name: fileSetting("REDIS_URL"), value: "/run/secrets/parley/REDIS_URL" });
    expect(container.env).toContainEqual({ name: "RETENTION_DAYS", value: "30" });
  });

  it("runs as the image's user, without any right more, on a read-only file system", () => {
    const { pod, container } = deploymentIn(render({}));

    expect(containerfile).toContain("\nUSER 10001:10001\n");
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/data", "/tmp", "/run/secrets/parley"]);
  });
});

describe.skipIf(!hasHelm())("compose.yaml", () => {
  const toJson = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
  const { services, volumes } = runPython(["-c", toJson, "compose.yaml"]) as {
    readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly volumes: object;
  };
  const { redis, "parley-1": first, "parley-2": second } = services;

  it("has two equal instances over one Redis that keeps everything", () => {
    expect({ ...second, volumes: first?.["volumes"], ports: first?.["ports"] }).toEqual(first);
    expect(first?.["environment"]).toMatchObject({ REDIS_URL: "redis://redis:6379" });
    expect(redis?.["command"]).toEqual(["redis-server", "--appendonly", "yes", "--maxmemory-policy", "noeviction"]);
    expect(Object.keys(volumes)).toEqual(["redis", "parley-1", "parley-2"]);
  });

  it("gives an instance a read-only file system, no rights, and time to finish its answers", () => {
    expect(first).toMatchObject({ read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"], stop_grace_period: "45s" });
  });
});
