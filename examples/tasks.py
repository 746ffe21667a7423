"""Four small tasks in the manner of MATH-500, GPQA, AIME with four samples, and LiveCodeBench; LightEval's metrics."""

from lighteval.metrics.metrics import Metrics
from lighteval.tasks.lighteval_task import LightevalTaskConfig
from lighteval.tasks.requests import Doc
from lighteval.tasks.tasks.lcb.main import lcb_codegen_metric

MATHS = """Work out the problem below, thinking step by step. Your reply has to end with a line of this form:
"ANSWER: $ANSWER" (without the quotes), where $ANSWER stands for your result.

{question}"""

CHOICE = """Choose the right option. End your reply with a line of the form 'Answer: $LETTER' (without the quotes),
where LETTER is one of {labels}. Think before you answer.

{question}

{options}"""

CONTEST = """Solve this contest problem. Your reply should end like this: 'Therefore, the final answer is: \
$\\boxed{{ANSWER}}$. I hope it is correct' (without the quotes), where ANSWER is the number that was asked for.

{question}"""

PROGRAMS = """Write a Python program for this task. It reads from standard input and writes to standard output.
Put it between ```python and ```.

{question}"""


def maths(line, task_name=None):
    return Doc(
        task_name=task_name,
        query=MATHS.format(question=line["question"]),
        choices=[f"ANSWER: {line['solution']}"],
        gold_index=0,
    )


def choice(line, task_name=None):
    labels = "ABCDEFGHIJ"[: len(line["options"])]
    options = "\n".join(f"{label}) {text}" for label, text in zip(labels, line["options"], strict=True))
    query = CHOICE.format(question=line["question"], options=options, labels=labels)
    return Doc(
        task_name=task_name,
        query=query,
        choices=list(labels),
        gold_index=labels.index(line["answer"]),
        instruction=query.partition("\n\n")[0],
    )


def contest(line, task_name=None):
    return Doc(
        task_name=task_name,
        query=CONTEST.format(question=line["question"]),
        choices=[line["answer"]],
        gold_index=0,
    )


def programs(line, task_name=None):
    return Doc(
        task_name=task_name,
        query=PROGRAMS.format(question=line["question"]),
        choices=[""],
        gold_index=0,
        specific={"inputs": line["inputs"], "outputs": line["outputs"], "fn_name": None},
    )


def task(name, prompt, metrics):
    return LightevalTaskConfig(
        name=name,
        prompt_function=prompt,
        hf_repo=f"data/{name}",
        hf_subset="default",
        hf_avail_splits=["test"],
        evaluation_splits=["test"],
        generation_size=4096,
        metrics=metrics,
        stop_sequence=[],
        version=1,
    )


TASKS_TABLE = [
    task("maths", maths, [Metrics.pass_at_k_math(sample_params={"k": 1, "n": 1})]),
    task("choice", choice, [Metrics.gpqa_instruct_pass_at_k(sample_params={"k": 1})]),
    task("contest", contest, [Metrics.avg_at_n_math(sample_params={"n": 4})]),
    task("programs", programs, [lcb_codegen_metric]),
]
