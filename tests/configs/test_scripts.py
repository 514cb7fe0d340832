"""Shell texts and Python texts: what is followed, and what is left unknown."""

import json

import pytest

from apps.configs.commands import documents_of_script, parse_flags
from apps.configs.opaque import OPAQUE
from apps.configs.readers.python_reader import read_python
from apps.configs.readers.shell_expand import whole_number
from apps.configs.readers.shell_reader import read_shell
from tests.configs.helpers import of_text, values


def words(text):
    return [command.words for command in read_shell(text).commands]


def flags(text):
    return documents_of_script(text)[0].tree


def test_continuation_lines_quotes_and_comments():
    text = "run.py --a 'x y' \\\n  --b \"p # q\" \\\n  --c d#5 # --e 1\n"
    assert words(text) == [("run.py", "--a", "x y", "--b", "p # q", "--c", "d#5")]


@pytest.mark.parametrize(
    ("given", "tree"),
    [
        (["--a", "1"], {"a": 1}),
        (["--a=1"], {"a": 1}),
        (["--a-b"], {"a_b": True}),
        (["--a", "x", "y"], {"a": ["x", "y"]}),
        (["--a", "-1"], {"a": -1}),
        (["--a", "1", "--a", "2"], {"a": 2}),
        (["--a.b", "1", "--a.c", "2"], {"a": {"b": 1, "c": 2}}),
        (["x.y=1", "+z=on"], {"x": {"y": 1}, "z": "on"}),
        (["--a", "1", "k=v"], {"a": 1, "k": "v"}),
        (["-b", "4"], {"b": 4}),
    ],
)
def test_options_become_keys(given, tree):
    assert parse_flags(given)[0] == tree


def test_the_scripts_own_variables_are_followed_and_the_environment_is_not(monkeypatch):
    monkeypatch.setenv("FROM_OUTSIDE", "7")
    text = "N=3\nrun.py --lr $N --seq ${M:-4} --batch $FROM_OUTSIDE --data $1 --epochs $((N*2))"
    assert flags(text) == {"lr": 3, "seq": 4, "batch": OPAQUE, "data": OPAQUE, "epochs": 6}


def test_arrays_and_option_strings_are_spread_into_words():
    text = 'A=( --lr 1  # first\n --seq 2 )\nB=" \\\n --batch 3"\nrun.py "${A[@]}" $B'
    assert flags(text) == {"lr": 1, "seq": 2, "batch": 3}


def test_of_branches_the_one_that_the_script_decides_is_followed():
    text = (
        "M=big\nif [ $M = small ]; then\n S=1\nelif [[ $M == big ]]; then\n S=2\nelse\n S=3\nfi\n"
        "run.py --seq $S --batch 1"
    )
    assert flags(text)["seq"] == 2


def test_branches_that_nobody_can_decide_leave_a_value_unknown():
    text = 'if [ "$1" = x ]; then\n S=1\nelse\n S=2\nfi\nrun.py --seq $S --batch 1'
    assert flags(text) == {"seq": OPAQUE, "batch": 1}


def test_a_default_inside_a_branch_counts_while_nothing_contradicts_it():
    assert flags("if [ -z $S ]; then S=5; fi\nrun.py --seq $S --batch 1")["seq"] == 5


def test_a_variable_for_more_options_that_nobody_sets_takes_no_option_its_value():
    assert flags("run.py --lr 1 --bf16 $EXTRA_ARGS --seq 2 $@") == {"lr": 1, "bf16": True, "seq": 2}


def test_inner_shells_and_eval_are_looked_into_with_their_environment():
    text = 'CMD="run.py --seq 2 --batch 1 | tee log"\nCUDA_VISIBLE_DEVICES=0,1 eval $CMD'
    document = documents_of_script(text)[0]
    assert document.tree == {"seq": 2, "batch": 1}
    assert document.environment["CUDA_VISIBLE_DEVICES"] == "0,1"
    assert words('srun -N 2 bash -c "run.py --seq 3"') == [("run.py", "--seq", "3")]


def test_what_is_only_printed_is_no_command():
    assert words("echo torchrun run.py --lr 1\nrun.py --lr 2") == [("run.py", "--lr", "2")]


def test_nothing_of_a_script_is_run(tmp_path):
    target = tmp_path / "made"
    text = f"touch {target}\nX=$(touch {target})\nY=`touch {target}`\nrun.py --lr $X --seq $Y --batch 1"
    assert flags(text)["lr"] is OPAQUE
    assert not target.exists()


def test_the_training_command_is_chosen_among_several():
    text = (
        "swift export --model a --output_dir b --to_cached true\nswift sft --model a --max_length 5"
    )
    assert values(of_text(text, "x.sh"))["sequence_length"] == 5


@pytest.mark.parametrize(
    ("line", "gpus", "nodes"),
    [
        ("torchrun --nproc_per_node 4 --nnodes 2 run.py", 8, 2),
        ("torchrun --standalone --nproc-per-node=4 run.py", 4, None),
        ("python -m torch.distributed.launch --nproc_per_node=2 run.py", 2, None),
        ("accelerate launch --multi_gpu --num_processes 6 --num_machines 3 run.py", 6, 3),
        ("deepspeed --num_gpus=3 run.py", 3, None),
        ("deepspeed --include localhost:0,1,2,3 run.py", 4, None),
        ("CUDA_VISIBLE_DEVICES=0,2 python run.py", 2, None),
        ("export CUDA_VISIBLE_DEVICES=5\npython run.py", 1, None),
        ("#SBATCH --nodes=2\n#SBATCH --gres=gpu:a100:4\nsrun python run.py", 8, 2),
        ("torchrun --nproc_per_node $N run.py", None, None),
    ],
)
def test_the_way_of_starting_tells_the_gpus(line, gpus, nodes):
    text = line + " --model_name_or_path acme/X --per_device_train_batch_size 1"
    found = values(of_text(text, "x.sh"))
    assert (found.get("gpus"), found.get("nodes")) == (gpus, nodes)


def test_a_command_that_names_a_file_says_how_it_starts_and_claims_nothing_else():
    text = "FORCE_TORCHRUN=1 NNODES=2 NPROC_PER_NODE=4 llamafactory-cli train own/sft.yaml"
    found = of_text(text, "x.sh")
    assert found.format == "launch_sh"
    assert values(found) == {"gpus": 8, "nodes": 2}


def test_several_processes_without_a_word_about_sharding_replicate():
    text = "torchrun --nproc_per_node 2 run.py --per_device_train_batch_size 1"
    found = of_text(text, "x.sh").fields["data_parallel"]
    assert (found.value, found.origin) == ("ddp", "framework default")


@pytest.mark.parametrize(
    ("text", "value"),
    [("16 / 3", 5), ("2*(3+4)", 14), ("-4 + 1", -3), ("7 % 4", 3)]
    + [(t, None) for t in ("2**9", "1/0", "a", "1.5", "__import__", "", "9" * 101)],
)
def test_sums_of_whole_numbers(text, value):
    assert whole_number(text) == value


def test_a_name_with_two_values_is_unreadable():
    script = read_python("b = 1\nb = 2\nc = 3\nf(x=b, y=c, z=c * 2, t=torch.bfloat16, u=g())")
    assert script.calls[0].keywords == {
        "x": OPAQUE,
        "y": 3,
        "z": 6,
        "t": "torch.bfloat16",
        "u": {"()": "g", "[]": []},
    }


def test_a_notebook_is_read_without_its_magic_lines():
    cells = [
        {"cell_type": "markdown", "source": ["# per_device_train_batch_size=9"]},
        {"cell_type": "code", "source": ["!pip install x\n", "%cd y\n", "n = 3\n"]},
        {"cell_type": "code", "source": "a = TrainingArguments(per_device_train_batch_size=n)"},
        {"cell_type": "code", "source": ["%%bash\n", "not python at all ("]},
    ]
    found = of_text(json.dumps({"cells": cells}), "own.ipynb")
    assert values(found)["micro_batch"] == 3


def test_a_command_line_inside_a_script_is_found():
    text = 'import os\nos.system("""accelerate launch train_dreambooth_lora.py \\\n'
    text += '  --pretrained_model_name_or_path=acme/p --resolution=512 --train_batch_size=2 --rank=5""")'
    found = of_text(text, "x.py")
    assert found.format == "diffusers_sh"
    assert values(found)["lora_rank"] == 5
