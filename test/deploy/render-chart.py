"""Renders a chart with Helm: render-chart.py CHART VALUES, both as JSON on the last line: {"problems": [], "resources": []}.

Helm's linter judges the chart, and each resource has to fit the schema of its kind, with nothing that the schema lacks.
"""

import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

folder, values = sys.argv[1], json.loads(sys.argv[2])
linted = helm.lint(folder)
# 1: information, such as that the chart has no icon.
problems = [str(one) for one in linted["messages"] if one["severity"] > 1] + linted["errors"]
resources = []
try:
    with helm.Chart.load(folder) as chart:
        rendered = chart.render(values, name="team", namespace="prod")
    for name, text in sorted(rendered.items()):
        if not name.endswith(".yaml"):
            continue
        resources += [one for one in yaml.safe_load_all(text) if one is not None]
    for resource in resources:
        kubernetes_validate.validate(resource, "1.37", strict=True)
except kubernetes_validate.ValidationError as error:
    problems.append(f"{'.'.join(str(part) for part in error.path)}: {error.message}")
except helm.HelmError as error:
    problems.append(str(error))
print(json.dumps({"problems": problems, "resources": resources}))
